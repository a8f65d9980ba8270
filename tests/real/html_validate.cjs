// Reads the files named on the command line and prints what html-validate says of each, as JSON.
const { HtmlValidate } = require("html-validate");

const [rules, ...files] = process.argv.slice(2);
const judge = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: JSON.parse(rules),
});

(async () => {
  const told = {};
  for (const file of files) {
    const report = await judge.validateFile(file);
    told[file] = report.results.flatMap((result) =>
      result.messages.map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`),
    );
  }
  console.log(JSON.stringify(told));
})();
