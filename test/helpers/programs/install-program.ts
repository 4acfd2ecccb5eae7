import { execFileSync, spawnSync } from 'node:child_process'
import { findProgram } from './programs.ts'

/** Debian's packages are installed by root. */
export function mayUseApt(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined
}

/** Throws when it does not succeed. Of `service` only the program is installed: it is not started, now or with the machine. */
export function installByApt(packages: readonly string[], options: { service?: string } = {}): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const words = [
    ...['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '-qq', '--no-install-recommends'],
    ...(options.service === undefined ? [] : leaveOutService(options.service)),
    ...packages,
  ]
  const install = () => execFileSync('apt-get', words, { stdio: 'inherit', env })
  try {
    install()
  } catch {
    // The lists may be old or missing; one source that does not answer must not matter.
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
    install()
  }
}

/** What would start it is not unpacked. */
function leaveOutService(name: string): string[] {
  return [
    `/etc/init.d/${name}`,
    `/lib/systemd/system/${name}.service`,
    `/usr/lib/systemd/system/${name}.service`,
  ].flatMap((path) => ['-o', `Dpkg::Options::=--path-exclude=${path}`])
}
