/** Go's net.JoinHostPort. */
export function joinHostPort(host: string, port: number): string {
  return host.includes(':') || host.includes('%') ? `[${host}]:${port}` : `${host}:${port}`
}
