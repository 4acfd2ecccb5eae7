const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(\/[^?]*)?(\?.*)?$/

/** One address for each host of an address in libpq's notation: `postgresql://user@one:5432,two/peyk`, or `?host=/a,/b` for sockets. */
export function splitHosts(url: string): string[] {
  const [, start = '', hosts = '', path = '', query = ''] = parts.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const inQuery = parameters.get('host')?.split(',') ?? []
  if (hosts === '' && inQuery.length > 1) {
    const ports = parameters.get('port')?.split(',') ?? []
    return inQuery.map((host, index) => {
      const own = new URLSearchParams(parameters)
      own.set('host', host)
      const port = ports[index] ?? ports[0]
      if (port !== undefined) own.set('port', port)
      return `${start}${path}?${own}`
    })
  }
  const named = hosts.split(',').filter((host) => host !== '')
  return named.length > 1 ? named.map((host) => `${start}${host}${path}${query}`) : [url]
}
