export const ports = {
  title: 'Port forwarding',
  request: 'ports of the pod',
  open: 'Forwarded ports',
  port: 'Port of the pod',
  localPort: 'Local port',
  free: 'a free one',
  start: 'Forward',
  stop: 'Stop',
  stopOf: (address: string) => `Stop ${address}`,
  copy: (address: string) => `Copy ${address}`,
  way: (address: string, port: number) => `${address} → ${port}`,
  connections: (open: number, total: number) => `${open} open, ${total} in all`,
}
