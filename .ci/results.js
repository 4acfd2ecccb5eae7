import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `second-try <file>` prints the failed files that may run again; `summary <folder>` prints the slowest files, the second
 * tries, the failures, and the counts.
 * @typedef {{ path: string, ms: number, hasError: boolean, tests: { name: string, state: string }[] }} TestFile
 * @typedef {{ files: TestFile[], hasError: boolean }} Results
 */

/** These tests depend on several processes or a browser. All others have to pass at the first try. */
const mayTryAgain = /^test\/(browser|e2e|faults)\//
const slowestShown = 10

/** @param {string} path @returns {Results} */
function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { files: [], hasError: false }
}

/** @param {TestFile} file */
function failuresOf(file) {
  const failed = file.tests.filter(({ state }) => state === 'failed').map(({ name }) => `${file.path} > ${name}`)
  return failed.length === 0 && file.hasError ? [`${file.path} could not be loaded or closed`] : failed
}

/** @param {string} path */
function secondTry(path) {
  const { files } = read(path)
  return files.map((file) => (failuresOf(file).length > 0 ? file.path : '')).filter((file) => mayTryAgain.test(file))
}

/** @param {string} folder */
function summarize(folder) {
  const steps = readFileSync(join(folder, 'steps'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', status]) => ({ name, hasFailed: status !== '0', ...read(join(folder, `${name}.json`)) }))
  const passed = new Set()
  const failed = new Set()
  /** @type {string[]} */
  const secondTries = []
  for (const step of steps.filter(({ name }) => !name.endsWith('-second-try'))) {
    const second = steps.find(({ name }) => name === `${step.name}-second-try`)
    const files = step.files.map((file) => second?.files.find(({ path }) => path === file.path) ?? file)
    const left = files.flatMap(failuresOf)
    for (const failure of left) failed.add(failure)
    for (const { path, tests } of files) {
      for (const { name, state } of tests) if (state === 'passed') passed.add(`${path} > ${name}`)
    }
    const first = step.files.flatMap(failuresOf)
    secondTries.push(...first.filter((failure) => !left.includes(failure)))
    const isExplained = first.length > 0 && !step.hasError
    if (step.hasFailed && !isExplained) failed.add(`${step.name}: see .ci/output/${step.name}.log`)
    if (second?.hasFailed && left.length === 0) failed.add(`${second.name}: see .ci/output/${second.name}.log`)
  }
  const slowest = steps
    .flatMap(({ name, files }) => files.map(({ path, ms }) => ({ path, ms, name })))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, slowestShown)
  const list = (/** @type {string} */ title, /** @type {string[]} */ lines) =>
    lines.length > 0 && console.log(`\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`)
  list(
    'Slowest files:',
    slowest.map(({ path, ms, name }) => `${(ms / 1000).toFixed(1)} s  ${path} (${name})`),
  )
  list('Failed:', [...failed])
  list(`${secondTries.length} on the second try:`, secondTries)
  console.log(`\n${[...passed].filter((test) => !failed.has(test)).length} passed, ${failed.size} failed`)
  process.exitCode = failed.size > 0 ? 1 : 0
}

const [command, path = ''] = process.argv.slice(2)
if (command === 'second-try') for (const file of secondTry(path)) console.log(file)
else summarize(path)
