/** The calls by which a runtime is asked for what the kubelet itself does not need. */
export function isForPages(call: string): boolean {
  return call === 'causesOf' || call === 'containerEnvironment'
}

/**
 * The same service, with something around each of its calls. `around` gets the name of the call, what makes it
 * and what was given, and its answer is the caller's. Properties that are no functions stay as they are.
 */
export function aroundCalls<T extends object>(
  service: T,
  around: (call: string, make: () => unknown, given: readonly unknown[]) => unknown,
): T {
  const known = new Map<string, { readonly property: unknown; readonly call: unknown }>()
  return new Proxy(service, {
    get: (target, key) => {
      const property: unknown = Reflect.get(target, key)
      if (typeof property !== 'function' || typeof key === 'symbol') return property
      const made = known.get(key)
      if (made?.property === property) return made.call
      const call = (...given: readonly unknown[]): unknown =>
        around(key, (): unknown => Reflect.apply(property, target, given), given)
      known.set(key, { property, call })
      return call
    },
  })
}
