/**
 * Returns the index of the problem of a day. The index is the same for everybody in every time
 * zone. In `count` consecutive days each problem comes once.
 *
 * @param {number} count The number of problems.
 * @param {Date} date
 */
export function dailyProblemIndex(count, date) {
    const day = Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
    // Consecutive days have problems of different grades.
    let stride = Math.max(1, Math.round(0.618 * count));
    while (greatestCommonDivisor(count, stride) !== 1) stride += 1;
    return (day * stride) % count;
}

/** Returns the greatest common divisor. @param {number} a @param {number} b @returns {number} */
const greatestCommonDivisor = (a, b) => (b === 0 ? a : greatestCommonDivisor(b, a % b));
