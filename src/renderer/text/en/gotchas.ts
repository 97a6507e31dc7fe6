export const gotchas = {}
