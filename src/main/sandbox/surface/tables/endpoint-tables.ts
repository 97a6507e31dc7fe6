import { listAt, numberAt, objectsAt, textAt } from '../../../../shared/json.ts'
import type { JsonObject } from '../../../../shared/json.ts'
import { ageColumn, column, nameColumn, tableOf } from './columns.ts'

const most = 3

function withMore(texts: readonly string[]): string {
  const shown = texts.slice(0, most).join(',')
  return texts.length > most ? `${shown} + ${texts.length - most} more...` : shown
}

function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

function subsetTexts(subset: JsonObject): readonly string[] {
  const addresses = objectsAt(subset, 'addresses').map((address) => textAt(address, 'ip'))
  const ports = objectsAt(subset, 'ports')
  if (ports.length === 0) return addresses
  return ports.flatMap((port) =>
    addresses.map((address) => hostPort(address, numberAt(port, 'port') ?? 0)),
  )
}

/** Source: pkg/printers/internalversion printEndpoints (v1.34). */
export const endpointsTable = tableOf(
  [nameColumn, column('Endpoints', 'endpoints', 'The addresses and ports of its pods.'), ageColumn],
  (endpoints) => {
    const subsets = objectsAt(endpoints, 'subsets')
    const texts = subsets.flatMap(subsetTexts)
    return { endpoints: subsets.length === 0 ? '<none>' : withMore(texts) }
  },
)

function portText(port: JsonObject): string {
  const number = numberAt(port, 'port')
  return number === undefined ? textAt(port, 'name') : String(number)
}

/** Source: pkg/printers/internalversion printEndpointSlice (v1.34). */
export const endpointSliceTable = tableOf(
  [
    nameColumn,
    column('AddressType', 'type', 'The type of its addresses.'),
    column('Ports', 'ports', 'The ports of every endpoint.'),
    column('Endpoints', 'endpoints', 'The addresses of the endpoints.'),
    ageColumn,
  ],
  (slice) => ({
    type: textAt(slice, 'addressType'),
    ports: withMore(objectsAt(slice, 'ports').map(portText)) || '<unset>',
    endpoints:
      withMore(
        objectsAt(slice, 'endpoints').flatMap((one) => listAt(one, 'addresses').map(String)),
      ) || '<unset>',
  }),
)
