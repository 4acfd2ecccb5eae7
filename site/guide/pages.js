/**
 * The pages of the guide, in the groups of its navigation. A page is a file, or some `sections` of one; `link` leads out
 * of the guide, or into one of its pages. A file of docs/ that is not named here comes under "More".
 */
export const groups = [
  {
    title: 'Start',
    pages: [
      {
        name: 'getting-started',
        file: 'docs/start/getting-started.md',
        title: 'Getting started',
        about: 'A back end and an app, in ten minutes.',
      },
      {
        name: 'demo',
        file: 'README.md',
        title: 'The demo, step by step',
        sections: ['Start', 'In the panel', 'Send a first message from a backend', 'See it arrive', 'In your browser'],
        about: 'Simulated users and phones: send, watch it arrive, break a provider.',
      },
      {
        name: 'concepts',
        file: 'docs/start/concepts.md',
        about: 'Users, installations, messages, deliveries: one page.',
      },
    ],
  },
  {
    title: 'Guides',
    pages: [
      { name: 'sending', file: 'docs/guides/sending.md', about: 'Recipients, texts, delivery channels, fallback.' },
      { name: 'segments', file: 'docs/guides/segments.md', about: 'Rules that select installations.' },
      { name: 'channels', file: 'docs/guides/channels.md', about: 'What installations subscribe to.' },
      {
        name: 'users-and-events',
        file: 'docs/guides/users-and-events.md',
        about: 'What your app and your backend report.',
      },
      {
        name: 'campaigns',
        file: 'docs/guides/campaigns.md',
        about: 'Later, repeated, at local time, in languages, as tests.',
      },
      { name: 'promo-codes', file: 'docs/guides/promo-codes.md', about: 'One code for each user.' },
      {
        name: 'panel',
        file: 'docs/guides/panel.md',
        title: 'Panel',
        about: 'Members, roles and every page of the web panel.',
      },
      {
        name: 'client',
        file: 'docs/guides/client.md',
        title: 'Client library',
        about: 'The client library for browsers.',
      },
      {
        name: 'providers',
        file: 'docs/guides/providers.md',
        title: 'Providers',
        about: 'Credentials for FCM, APNs, Web Push and SMS.',
      },
      {
        name: 'webhooks',
        file: 'docs/guides/webhooks.md',
        about: 'Signed calls that tell your back end what happens.',
      },
      {
        name: 'data',
        file: 'docs/guides/data.md',
        title: 'Data in and out',
        about: 'A feed of everything that happens, exports, and import.',
      },
      { name: 'migration', file: 'docs/guides/migration.md', about: 'From OneSignal, Parse or FCM topics.' },
    ],
  },
  {
    title: 'Self-host',
    pages: [
      {
        name: 'running',
        file: 'docs/self-host/running.md',
        title: 'Running it',
        about: 'Containers, Kubernetes, systemd, Prometheus.',
      },
      {
        name: 'operations',
        file: 'docs/self-host/operations.md',
        about: 'Settings, backups, health, `peyk doctor`.',
      },
      {
        name: 'scaling',
        file: 'docs/self-host/scaling.md',
        title: 'Scaling',
        about: 'All cores, and several machines on one PostgreSQL.',
      },
      {
        name: 'upgrading',
        file: 'docs/self-host/upgrading.md',
        title: 'Upgrading',
        about: 'To a new version, without a break, and back.',
      },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { title: 'API reference', link: 'reference', about: 'Every endpoint with examples, to try here.' },
      { name: 'interface', file: 'docs/reference/interface.md', about: 'The interface that Peyk implements.' },
      { name: 'requests', file: 'docs/reference/requests.md', about: 'What holds for every endpoint.' },
      { name: 'errors', file: 'docs/reference/errors.md', about: 'Every error code and what it means.' },
      {
        name: 'client-protocol',
        file: 'docs/reference/client-protocol.md',
        about: 'How client libraries talk to Peyk.',
      },
      { title: 'Limits', link: 'security/#limits-on-what-is-stored', about: 'How much of everything is stored.' },
      { name: 'changelog', file: 'CHANGELOG.md', about: 'What changed.' },
    ],
  },
  {
    title: 'About',
    pages: [
      {
        name: 'comparison',
        file: 'docs/about/comparison.md',
        about: 'Peyk beside others, and when to take another.',
      },
      {
        name: 'reliability',
        file: 'docs/about/reliability.md',
        about: 'What it withstands, and how that was tested.',
      },
      { name: 'security', file: 'docs/about/security.md', about: 'Who may do what.' },
      { name: 'security-policy', file: 'SECURITY.md', about: 'How to report a vulnerability.' },
      { name: 'faq', file: 'docs/about/faq.md', about: 'Short answers.' },
      { title: 'For maintainers', link: 'internals/', about: 'How Peyk is built, measured, and tested.' },
    ],
  },
]

/** The pages for maintainers: with a navigation and a search of their own. */
export const internals = [
  {
    title: 'For maintainers',
    pages: [
      { title: 'User guide', link: '', about: 'Back to the pages for users.' },
      { name: 'internals', file: 'docs/internals/README.md', about: 'What is where.' },
      { name: 'internals/architecture', file: 'ARCHITECTURE.md', about: 'How the code is laid out.' },
      { name: 'internals/contributing', file: 'CONTRIBUTING.md', about: 'How to test it and add to it.' },
      { title: 'Decisions', link: 'internals/decisions/', about: 'Why it works as it does.' },
      {
        name: 'internals/benchmarks',
        file: 'docs/internals/benchmarks.md',
        about: 'How fast it is, and compared with what.',
      },
      { name: 'internals/faults', file: 'docs/internals/faults.md', about: 'Faults that were found and fixed.' },
      { name: 'internals/scaling-model', file: 'docs/internals/scaling-model.md', about: 'How far it goes.' },
      { name: 'internals/choices', file: 'docs/internals/choices.md', about: 'Where each numbered choice is now.' },
    ],
  },
]

/** Addresses that pages used to have. */
export const moved = {
  architecture: 'internals/architecture',
  choices: 'internals/choices',
  contributing: 'internals/contributing',
  performance: 'internals/benchmarks',
}
