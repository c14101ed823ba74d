/** The parts of this folder that other folders use. */
export { mountEngineConsole } from "./engine-console.js";
export { connectAndReconnect } from "./reconnect.js";
export { askAboutPosition, describeError, isConnected, MAX_REQUEST_BYTES, RequestError, requestFieldsOfPosition,
    runAndShowError, sendRequest, sendSearchRequest } from "./requests.js";
export { finishedGameScore, formatScore, formatShortScore, negateScore, scoreFromPerspective, scoreOfReviewValue,
    scorePerspective } from "./score.js";
export { HAS_SERVER } from "./transport.js";
