export const containerActs = {
  menu: (container: string) => `Acts on container ${container}`,
  button: 'Act',
  title: (container: string) => `Restart ${container}, and more`,
  restart: 'Restart…',
  behavior: 'Behavior…',
  behaviorOf: (container: string, pod: string) => `Behavior of container ${container} of ${pod}…`,
  /** Of the palette. */
  restartOf: (container: string, pod: string) => `Restart container ${container} of ${pod}…`,
}
