import type { Command } from './command.ts'

/** Every command of `peyk`. Loaded only when called: the help needs none of what they stand on. */
export const commands: readonly { name: string; summary: string; load(): Promise<{ command: Command }> }[] = [
  { name: 'start', summary: 'run the service', load: () => import('./start/start.ts') },
  { name: 'app create', summary: 'create an app and print its tokens', load: () => import('./app/create.ts') },
  { name: 'app list', summary: 'list the apps', load: () => import('./app/list.ts') },
  { name: 'app set', summary: 'show and change the settings of an app', load: () => import('./app/set.ts') },
  { name: 'app usage', summary: 'show what apps use', load: () => import('./app/usage.ts') },
  { name: 'app quota', summary: 'show and set what an app may use', load: () => import('./app/quota.ts') },
  { name: 'app stop', summary: 'stop all sending of an app', load: () => import('./app/stop.ts') },
  {
    name: 'app resume',
    summary: 'resume all sending of an app',
    load: () => import('./app/resume.ts'),
  },
  {
    name: 'token create',
    summary: 'create an access token and print it',
    load: () => import('./token/create.ts'),
  },
  { name: 'token list', summary: 'list the access tokens of an app', load: () => import('./token/list.ts') },
  { name: 'token revoke', summary: 'revoke an access token', load: () => import('./token/revoke.ts') },
  { name: 'member create', summary: 'add a member to the panel of an app', load: () => import('./member/create.ts') },
  { name: 'member list', summary: 'list the members of an app', load: () => import('./member/list.ts') },
  { name: 'member link', summary: 'create a sign-in link for a member', load: () => import('./member/link.ts') },
  {
    name: 'member remove',
    summary: 'remove a member from an app',
    load: () => import('./member/remove.ts'),
  },
  {
    name: 'provider set',
    summary: 'set the credentials of FCM, APNs, Web Push or SMS',
    load: () => import('./provider/set.ts'),
  },
  { name: 'provider list', summary: 'list the providers of an app', load: () => import('./provider/list.ts') },
  { name: 'provider check', summary: 'check the stored credentials', load: () => import('./provider/check.ts') },
  { name: 'provider resume', summary: 'resume a paused provider', load: () => import('./provider/resume.ts') },
  {
    name: 'provider remove',
    summary: 'remove the credentials of a provider',
    load: () => import('./provider/remove.ts'),
  },
  {
    name: 'secrets reseal',
    summary: 'encrypt the stored secrets with a new key',
    load: () => import('./secrets-reseal.ts'),
  },
  {
    name: 'simulator',
    summary: 'run only the simulated providers and phones',
    load: () => import('./simulator.ts'),
  },
  { name: 'import', summary: 'bring users and devices in from a file', load: () => import('./import.ts') },
  { name: 'backup', summary: 'write all data to a file', load: () => import('./backup/backup.ts') },
  { name: 'restore', summary: 'fill a new database from a backup', load: () => import('./backup/restore.ts') },
  {
    name: 'resume',
    summary: 'show what a restored service holds back, and resume sending',
    load: () => import('./backup/resume.ts'),
  },
  {
    name: 'time forward',
    summary: 'move the clock forward, for a demonstration',
    load: () => import('./time-forward.ts'),
  },
  { name: 'doctor', summary: 'look for what is wrong, and say what to do', load: () => import('./doctor/doctor.ts') },
  { name: 'verify', summary: 'check the stored data against its invariants', load: () => import('./verify.ts') },
]
