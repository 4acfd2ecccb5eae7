import type { Command } from './command.ts'

/** Every command of `peyk`. Loaded only when called: the help needs none of what they stand on. */
export const commands: readonly { name: string; summary: string; load(): Promise<{ command: Command }> }[] = [
  { name: 'start', summary: 'run the service', load: () => import('./start/start.ts') },
  { name: 'app create', summary: 'make an app and print its tokens', load: () => import('./app/create.ts') },
  { name: 'app list', summary: 'list the apps', load: () => import('./app/list.ts') },
  { name: 'app set', summary: 'show and change the settings of an app', load: () => import('./app/set.ts') },
  { name: 'app stop', summary: 'stop all sending of an app at once', load: () => import('./app/stop.ts') },
  {
    name: 'app resume',
    summary: 'resume the sending of an app that was stopped',
    load: () => import('./app/resume.ts'),
  },
  {
    name: 'token create',
    summary: 'make an access token of an app and print it',
    load: () => import('./token/create.ts'),
  },
  { name: 'token list', summary: 'list the access tokens of an app', load: () => import('./token/list.ts') },
  { name: 'token revoke', summary: 'revoke an access token', load: () => import('./token/revoke.ts') },
  { name: 'member create', summary: 'let somebody use the panel of an app', load: () => import('./member/create.ts') },
  { name: 'member list', summary: 'list who may use the panel of an app', load: () => import('./member/list.ts') },
  { name: 'member link', summary: 'make a link that signs a member in', load: () => import('./member/link.ts') },
  {
    name: 'member remove',
    summary: 'take the panel of an app from somebody',
    load: () => import('./member/remove.ts'),
  },
  {
    name: 'provider set',
    summary: 'set the credentials of FCM, APNs, web push or SMS',
    load: () => import('./provider/set.ts'),
  },
  { name: 'provider list', summary: 'list the providers of an app', load: () => import('./provider/list.ts') },
  { name: 'provider check', summary: 'try the stored credentials', load: () => import('./provider/check.ts') },
  { name: 'provider resume', summary: 'let a paused provider go on', load: () => import('./provider/resume.ts') },
  { name: 'provider remove', summary: 'remove credentials', load: () => import('./provider/remove.ts') },
  {
    name: 'secrets reseal',
    summary: 'seal the stored secrets with a new key',
    load: () => import('./secrets-reseal.ts'),
  },
  {
    name: 'simulator',
    summary: 'run the simulated providers and phones alone',
    load: () => import('./simulator.ts'),
  },
  { name: 'backup', summary: 'write all data to a file', load: () => import('./backup/backup.ts') },
  { name: 'restore', summary: 'fill a new database from a backup', load: () => import('./backup/restore.ts') },
  {
    name: 'resume',
    summary: 'show what a restored service holds back, and let it go on',
    load: () => import('./backup/resume.ts'),
  },
  {
    name: 'time forward',
    summary: 'let time pass at once, for a demonstration',
    load: () => import('./time-forward.ts'),
  },
  { name: 'verify', summary: 'check the stored data against its invariants', load: () => import('./verify.ts') },
]
