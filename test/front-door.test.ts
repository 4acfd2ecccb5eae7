import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
const readme = read('README.md')
const contributing = read('CONTRIBUTING.md')

interface Workflow {
  jobs: Record<string, { steps: { run?: string }[]; strategy?: { matrix: { command?: string[] } } }>
}

const { jobs } = parse(read('.github/workflows/ci.yml')) as Workflow
const commandsOf = (name: string) => jobs[name]?.steps.flatMap(({ run }) => run ?? []) ?? []
const namedScripts = (text: string) =>
  [...text.matchAll(/npm run ([\w:]+)|npm (test|start)\b/g)].map((m) => m[1] ?? m[2])

describe('the workflow on a code host', () => {
  it("runs the README's test command, as it stands there", () => {
    const [, command] = /```sh\n(npm install && npm test)\n```/.exec(readme) ?? []
    expect(commandsOf('newcomer')).toEqual([command])
  })

  it('runs nightly what CONTRIBUTING.md lists beside npm test', () => {
    const nightly = jobs.nightly?.strategy?.matrix.command ?? []
    expect(nightly.length).toBeGreaterThan(0)
    for (const command of nightly) expect(contributing).toContain(`\`${command}\``)
  })

  it('runs .ci/run as root, because it then tests as an ordinary user and as root', () => {
    expect(commandsOf('full')).toEqual(['sudo env "PATH=$PATH" .ci/run'])
  })
})

describe('a script that is named', () => {
  it.each(['README.md', 'CONTRIBUTING.md', '.ci/run', '.github/workflows/ci.yml', '.github/pull_request_template.md'])(
    'in %s exists',
    (path) => {
      const named = namedScripts(read(path))
      expect(named.length).toBeGreaterThan(0)
      expect(named.filter((name) => !scripts.includes(name as string))).toEqual([])
    },
  )

  it('in a task of the editor exists', () => {
    const { tasks } = JSON.parse(read('.vscode/tasks.json')) as { tasks: { script: string }[] }
    expect(tasks.map(({ script }) => script).filter((name) => !scripts.includes(name))).toEqual([])
  })

  it('and is for contributors is in CONTRIBUTING.md', () => {
    const internal = new Set(['prepare', 'start', 'test'])
    const listed = namedScripts(contributing)
    expect(scripts.filter((name) => !internal.has(name) && !listed.includes(name))).toEqual([])
  })
})

it('the development container is a stage of the Dockerfile', () => {
  const { build } = JSON.parse(read('.devcontainer/devcontainer.json')) as { build: { target: string } }
  expect(read('Dockerfile')).toMatch(new RegExp(`^FROM .+ AS ${build.target}$`, 'm'))
})

it('the index of the test helpers names each of them once, and nothing else', () => {
  const named = [...read('test/helpers/README.md').matchAll(/^\| (`.+`) \| [^`]/gm)].flatMap(([, names]) =>
    [...(names as string).matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  expect(named.sort()).toEqual(globSync('**/*.ts', { cwd: join(import.meta.dirname, 'helpers') }).sort())
})
