export const loop = {
  title: 'Sync loop',
  lastStep: 'Last step',
  iterations: (count: number, node: string) => `${count} iterations of the sync loop of ${node}`,
  notRunning: 'not running',
  noData: 'no data yet',
}
