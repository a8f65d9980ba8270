// Nodemailer's pool sends personalised messages; the seconds from first to last are printed.
// The argument is a JSON file: the folder of the modules, port, connections, count, from, subject,
// html and text, what stands in both before a name is put in, and what it is to sign with.
const given = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
const mailer = require(`${given.modules}/nodemailer`).createTransport({
  pool: true,
  host: "127.0.0.1",
  port: given.port,
  secure: false,
  ignoreTLS: true,
  maxConnections: given.connections,
  maxMessages: Infinity,
  ...(given.dkim && { dkim: given.dkim }),
});

let next = 0;
let done = 0;
const start = process.hrtime.bigint();

function message(number) {
  const name = `Reader ${String(number).padStart(6, "0")}`;
  const address = `reader.${String(number).padStart(6, "0")}@reader.example`;
  return {
    from: given.from,
    to: { name, address },
    subject: given.subject,
    html: given.html.replaceAll(given.before, `For ${name}.`),
    text: given.text.replaceAll(given.before, `For ${name}.`),
    list: { unsubscribe: `mailto:leave@survey.example?subject=${number}` },
  };
}

function answered(error) {
  if (error) {
    console.error(error.message);
    process.exit(1);
  }
  done += 1;
  if (done === given.count) {
    console.log(Number(process.hrtime.bigint() - start) / 1e9);
    mailer.close();
  }
}

mailer.on("idle", () => {
  while (mailer.isIdle() && next < given.count) {
    next += 1;
    mailer.sendMail(message(next), answered);
  }
});
