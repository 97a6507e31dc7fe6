import { connectChannel, eventChannel, requestChannel } from '../shared/ipc/channels.ts'
import type { Bridge, EventName, Events, RequestName, Requests } from '../shared/ipc/contract.ts'
import type { Result } from '../shared/result.ts'

/** The used part of Electron's ipcRenderer. */
export interface IpcEnd {
  readonly send: (channel: string) => void
  readonly invoke: (channel: string, name: string, args: unknown) => Promise<unknown>
  readonly on: (
    channel: string,
    listener: (event: unknown, name: string, payload: unknown) => void,
  ) => unknown
}

/** The bridge over Electron's IPC. Only names and payloads cross it, never Electron's event objects. */
export function createIpcBridge(ipc: IpcEnd): Bridge {
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  ipc.on(eventChannel, (_event, name, payload) => {
    for (const listener of listeners.get(name) ?? []) listener(payload)
  })
  ipc.send(connectChannel)

  return {
    request: async <K extends RequestName>(name: K, args: Requests[K]['args']) => {
      // The main process answers each request with a Result of the contract's reply.
      const answer = (await ipc.invoke(requestChannel, name, args)) as Result<
        Requests[K]['reply'],
        string
      >
      if (!answer.ok) throw new Error(answer.error)
      return answer.value
    },
    subscribe: <K extends EventName>(name: K, listener: (payload: Events[K]) => void) => {
      const named = listeners.get(name) ?? new Set()
      listeners.set(name, named)
      const own = (payload: unknown): void => {
        listener(payload as Events[K]) // main sends this name only with this payload
      }
      named.add(own)
      return () => {
        named.delete(own)
      }
    },
    onConnection: () => () => undefined,
  }
}
