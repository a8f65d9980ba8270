// Compile the MJML in the file named with the official engine, strictly; print the HTML as JSON.
const { readFileSync } = require("node:fs");
const engine = require("mjml");

const compile = engine.default ?? engine;

(async () => {
  const options = { validationLevel: "strict", keepComments: true };
  const { html } = await compile(readFileSync(process.argv[2], "utf8"), options);
  process.stdout.write(JSON.stringify(html));
})();
