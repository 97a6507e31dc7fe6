import type { KubeRequest, KubeResponse, Transport } from '../../shared/kubernetes/request.ts'
import { err, ok } from '../../shared/result.ts'
import type { Result } from '../../shared/result.ts'
import type { ApiError } from '../kubelet/ports.ts'
import { apiErrorOfResponse, apiErrorOfThrown } from './api-errors.ts'

const acceptHeaders = { accept: 'application/json' } as const

/** Sends one request and gives the body of its success. A refusal and a missing answer are both values. */
export async function callApi(
  transport: Transport,
  request: KubeRequest,
): Promise<Result<unknown, ApiError>> {
  let response: KubeResponse
  try {
    response = await transport.send({
      ...request,
      headers: { ...acceptHeaders, ...request.headers },
    })
  } catch (error) {
    return err(apiErrorOfThrown(error))
  }
  const refusal = apiErrorOfResponse(response)
  if (refusal !== undefined) return err(refusal)
  switch (response.kind) {
    case 'object':
      return ok(response.body)
    case 'watch':
      response.stream.stop()
      return err(unexpectedAnswer(request, 'a watch'))
    case 'text':
      return err(unexpectedAnswer(request, response.contentType))
  }
}

/** A success that is not what an API server sends: often a proxy's or a login page's. */
export function unexpectedAnswer(request: KubeRequest, what: string): ApiError {
  return {
    kind: 'unknown',
    message: `${request.method} ${request.path} returned ${what} instead of a Kubernetes object`,
  }
}
