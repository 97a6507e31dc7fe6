import type { Service } from '../../../shared/kubernetes/objects.ts'

/** In the namespace `default`; every pod gets their variables. */
const masterServices: ReadonlySet<string> = new Set(['kubernetes'])

/** False for headless Services and for those without an address yet. */
function hasClusterIP({ spec }: Service): boolean {
  return spec?.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None'
}

function variableName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase()
}

function joinHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function variablesOf({ metadata, spec }: Service): readonly (readonly [string, string])[] {
  const { clusterIP = '', ports = [] } = spec ?? {}
  const prefix = variableName(metadata.name)
  const links = ports.flatMap(({ port, ...rest }, index) => {
    const protocol = rest.protocol || 'TCP'
    const portPrefix = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`
    const url = `${protocol.toLowerCase()}://${joinHostPort(clusterIP, port)}`
    return [
      ...(index === 0 ? [[`${prefix}_PORT`, url] as const] : []),
      [portPrefix, url] as const,
      [`${portPrefix}_PROTO`, protocol.toLowerCase()] as const,
      [`${portPrefix}_PORT`, String(port)] as const,
      [`${portPrefix}_ADDR`, clusterIP] as const,
    ]
  })
  const named = ports.flatMap(({ name, port }) =>
    name ? [[`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)] as const] : [],
  )
  return [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    ...ports.slice(0, 1).map(({ port }) => [`${prefix}_SERVICE_PORT`, String(port)] as const),
    ...named,
    ...links,
  ]
}

/** So that all containers share the texts. */
const known = new WeakMap<Service, ReturnType<typeof variablesOf>>()

function sharedVariablesOf(service: Service): ReturnType<typeof variablesOf> {
  const variables = known.get(service) ?? variablesOf(service)
  known.set(service, variables)
  return variables
}

/**
 * The variables by which the containers of a namespace find Services: the API server's always, those of their namespace
 * with `enableServiceLinks`. Source: pkg/kubelet/kubelet_pods.go getServiceEnvVarMap, pkg/kubelet/envvars FromServices.
 */
export function serviceVariables(
  services: readonly Service[],
  namespace: string,
  enableServiceLinks: boolean,
): ReadonlyMap<string, string> {
  const visible = services.filter(hasClusterIP)
  const masters = visible.filter(
    ({ metadata }) => metadata.namespace === 'default' && masterServices.has(metadata.name),
  )
  const linked = enableServiceLinks
    ? visible.filter(({ metadata }) => metadata.namespace === namespace)
    : []
  const byName = new Map([...masters, ...linked].map((service) => [service.metadata.name, service]))
  return new Map([...byName.values()].flatMap(sharedVariablesOf))
}
