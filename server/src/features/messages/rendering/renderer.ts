import { type ChildProcess, fork } from 'node:child_process'
import type { RenderTask } from './renderer-child.ts'
import type { Rendered } from './template-engine.ts'

const defaultProgram = new URL('./renderer-child.ts', import.meta.url)
const maxMemoryMb = 64
/** For one recipient. The process ends itself far sooner, by its processor time: this is for one that stands still. */
const maxMsEach = 10_000
const idleMs = 60_000

/**
 * A process that renders templates, made when it is needed. A thread would not do: one large allocation in it ends the
 * process that it belongs to, whatever its limits are.
 */
export class Renderer {
  private child: ChildProcess | undefined
  private idleTimer: NodeJS.Timeout | undefined
  private readonly program: URL

  constructor(program = defaultProgram) {
    this.program = program
  }

  /** One for each scope, in their order, or fewer: the process ended, or was killed, at the one that is missing. */
  async render(task: RenderTask): Promise<Rendered[]> {
    clearTimeout(this.idleTimer)
    this.child ??= await open(this.program)
    this.child.ref()
    this.child.channel?.ref()
    const rendered = await collect(this.child, task)
    if (rendered.length < task.scopes.length) this.end()
    else this.rest(this.child)
    return rendered
  }

  private end(): void {
    this.child?.kill('SIGKILL')
    this.child = undefined
  }

  /** It keeps nobody from ending. */
  private rest(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    this.idleTimer = setTimeout(() => this.end(), idleMs).unref()
  }
}

/** Once it has loaded what it needs; fails when it ends before. It is told nothing of its surroundings. */
async function open(program: URL): Promise<ChildProcess> {
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // When it ends later, whoever waits for it sees that.
  child.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(new Error(`The process that writes texts ended before it was ready, with ${signal ?? code}.`)),
    )
  })
  return child
}

function collect(child: ChildProcess, task: RenderTask): Promise<Rendered[]> {
  const rendered: Rendered[] = []
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      child.off('message', take)
      child.off('exit', finish)
      resolve(rendered)
    }
    const take = (one: unknown) => {
      rendered.push(one as Rendered)
      if (rendered.length === task.scopes.length) finish()
      else timer.refresh()
    }
    const timer = setTimeout(finish, maxMsEach)
    child.on('message', take)
    child.on('exit', finish)
    if (child.connected) child.send(task, (error) => error && finish())
    else finish()
  })
}
