/**
 * The id of a joined cluster, from the name of its context. Pod keys are `cluster/node/uid`, so an id has no slash, but
 * contexts may: `arn:aws:eks:eu-west-1:1:cluster/shop`, `default/api-shop:6443/admin`.
 */
export function clusterIdOf(contextName: string): string {
  return contextName.replaceAll('/', '_')
}
