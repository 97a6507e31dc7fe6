import { Agent, request as send } from 'undici'
import { expect, it } from 'vitest'
import { admin, serverUnderTest, silentLog } from '../sandbox/fake-client.ts'
import { startHttpsListener } from '../sandbox/surface/https-listener.ts'
import { externalServer } from './external-server.ts'

/** The status of an anonymous request for the version, and what a review says about the administrator's token. */
async function asked(enforcesRbac: boolean): Promise<readonly unknown[]> {
  const { server, clock } = serverUnderTest({ enforcesRbac })
  const handle = server.handle.bind(server)
  const listener = await startHttpsListener({
    server: externalServer(server, { handle, refuseInOutage: () => undefined }, undefined),
    port: 0,
    clock,
    credentials: new Map([['t', admin]]),
    log: silentLog,
  })
  if (!listener.ok) throw new Error(listener.error.message)
  const { url, caPem, stop } = listener.value
  const dispatcher = new Agent({ connect: { ca: caPem } })
  const version = await send(`${url}/version`, { dispatcher })
  await version.body.dump()
  const review = await send(`${url}/apis/authentication.k8s.io/v1/tokenreviews`, {
    dispatcher,
    method: 'POST',
    headers: { authorization: 'Bearer t' },
    body: JSON.stringify({ spec: { token: 't' } }),
  })
  const { status } = (await review.body.json()) as { readonly status: unknown }
  await dispatcher.destroy()
  await stop()
  return [version.statusCode, status]
}

it.each([
  [true, 200],
  [false, 401],
])(
  'clients outside of this process: with RBAC %s, an anonymous request gets %s, and a review knows a token',
  async (enforcesRbac, code) => {
    const known = { authenticated: true, user: { username: 'admin' } }
    expect(await asked(enforcesRbac)).toMatchObject([code, known])
  },
)
