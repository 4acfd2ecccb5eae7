export interface Binary {
  name: string
  license: string
  homepage: string
  copyright: string
  /** Names of its files in the folder lib of the embedded PostgreSQL; none for what is not there. */
  files: RegExp | undefined
}

/** What the embedded PostgreSQL brings along, and the Node.js that runs the service: they are no packages of npm. */
export const binaries: readonly Binary[] = [
  {
    name: 'PostgreSQL',
    license: 'PostgreSQL',
    homepage: 'https://www.postgresql.org',
    copyright:
      'Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group; Portions Copyright (c) 1994, The Regents of the University of California',
    files: /^(libpq|libecpg|libpg|postgresql$|pkgconfig$)/,
  },
  {
    name: 'ICU',
    license: 'Unicode-DFS-2016',
    homepage: 'https://icu.unicode.org',
    copyright: 'Copyright (c) 1991-2017 Unicode, Inc.',
    files: /^libicu/,
  },
  {
    name: 'OpenSSL 1.1',
    license: 'OpenSSL',
    homepage: 'https://www.openssl.org',
    copyright:
      'Copyright (c) 1998-2019 The OpenSSL Project; Copyright (c) 1995-1998 Eric Young. This product includes software developed by the OpenSSL Project for use in the OpenSSL Toolkit (http://www.openssl.org/), and cryptographic software written by Eric Young (eay@cryptsoft.com).',
    files: /^lib(crypto|ssl)\./,
  },
  {
    name: 'libxml2',
    license: 'MIT',
    homepage: 'https://gitlab.gnome.org/GNOME/libxml2',
    copyright: 'Copyright (C) 1998-2012 Daniel Veillard',
    files: /^libxml2\./,
  },
  {
    name: 'libxslt',
    license: 'MIT',
    homepage: 'https://gitlab.gnome.org/GNOME/libxslt',
    copyright: 'Copyright (C) 2001-2002 Daniel Veillard',
    files: /^libxslt\./,
  },
  {
    name: 'zlib',
    license: 'Zlib',
    homepage: 'https://zlib.net',
    copyright: 'Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler',
    files: /^libz\./,
  },
  {
    name: 'liblzma',
    license: '0BSD',
    homepage: 'https://tukaani.org/xz',
    copyright: 'in the public domain',
    files: /^liblzma\./,
  },
  {
    name: 'OSSP uuid',
    license: 'MIT',
    homepage: 'http://www.ossp.org/pkg/lib/uuid',
    copyright: 'Copyright (c) 2004-2008 Ralf S. Engelschall; Copyright (c) 2004-2008 The OSSP Project',
    files: /^libossp-uuid\./,
  },
  {
    name: 'Node.js',
    license: 'MIT',
    homepage: 'https://nodejs.org',
    copyright:
      'Copyright Node.js contributors. Its LICENSE names what it contains: https://github.com/nodejs/node/blob/main/LICENSE',
    files: undefined,
  },
]
