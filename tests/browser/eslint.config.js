/** Rules for the scripts of the page and of its tests. The compiler tsc does not check these rules. */
const rules = {
    "array-callback-return": "error",
    "consistent-return": "error",
    "eqeqeq": "error",
    "no-duplicate-imports": "error",
    "no-else-return": "error",
    "no-implicit-coercion": "error",
    "no-self-compare": "error",
    "no-template-curly-in-string": "error",
    "no-unused-expressions": "error",
    "no-unused-vars": "error",
    "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
    "no-useless-return": "error",
    "no-var": "error",
    "object-shorthand": "error",
    "prefer-const": ["error", { destructuring: "all" }],
    "max-len": ["error", { code: 120 }],
};

export default [
    { files: ["src/page/*/*.js", "src/crates/web/page/**/*.js", "tests/page/*.mjs", "tests/browser/*.js"], rules },
    // Functions of a test that run in the page may use a name again.
    { files: ["src/page/*/*.js", "src/crates/web/page/**/*.js"], rules: { "no-shadow": "error" } },
];
