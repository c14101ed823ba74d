import { Refused } from "./requests.js";
import { TEXT } from "./strings.js";

/**
 * What an error says to people: what the engine has refused without ids of requirements, with its place in words.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function explained(error) {
    if (error instanceof Refused) return TEXT.refused(error.reason, error.column);
    return error instanceof Error ? error.message : String(error);
}
