import { goQuote } from '../../../shared/go/text.ts'
import type { Container } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { PortReference } from './handler-spec.ts'

const decimal = /^[+-]?\d{1,18}$/

/** The number of a port, given by number or name (pkg/probe/util.go ResolveContainerPort). */
export function resolveContainerPort(
  reference: PortReference,
  container: Container,
): Result<number, string> {
  let port = reference
  if (typeof port === 'string') {
    const named = (container.ports ?? []).find(({ name }) => name === reference)
    if (named === undefined && !decimal.test(port))
      return err(`strconv.Atoi: parsing ${goQuote(port)}: invalid syntax`)
    port = named?.containerPort ?? Number(port)
  }
  return port > 0 && port < 65536 ? ok(port) : err(`invalid port number: ${port}`)
}
