// Stands in for VS Code's native logging module, so that setting up the test host needs no compiler: the same calls, plain appends.
// VS Code imports it as an ES module, so each name must be a plain `exports.x =` that Node's lexer can see.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
const INFO = 2;

class Logger {
  constructor(name, file) {
    this.name = name;
    this.file = file;
    this.level = INFO;
    this.plain = false;
    if (file) fs.mkdirSync(path.dirname(file), { recursive: true });
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.plain = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
  write(level, message) {
    if (level < this.level || !this.file) return;
    const line = this.plain ? message : `${new Date().toISOString()} [${LEVELS[level]}] ${message}\n`;
    try {
      fs.appendFileSync(this.file, line);
    } catch {
      // The throw-away profile is gone already; a log line of a closing server is no loss.
    }
  }
}
LEVELS.forEach((name, level) => {
  Logger.prototype[name] = function log(message) {
    this.write(level, message);
  };
});

const create = async (name, file) => new Logger(name, file);

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
