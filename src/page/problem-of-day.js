/**
 * Which of so many problems is that of a day. It is the same for everybody, whatever their time zone, and on as many
 * days in a row as there are problems each comes once.
 *
 * @param {number} count
 * @param {Date} date
 */
export function indexOfDay(count, date) {
    const day = Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
    // Problems of consecutive days are of different grades.
    let stride = Math.max(1, Math.round(0.618 * count));
    while (divisor(count, stride) !== 1) stride += 1;
    return (day * stride) % count;
}

/** The greatest common divisor. @param {number} a @param {number} b @returns {number} */
const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b));
