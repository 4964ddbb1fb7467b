/** `1,234,567`, the same on every machine. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 page`, `2 pages`. */
export function formatPlural(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** `512 B`, `1.4 MB`; powers of 1,024, as the options read them. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  for (const unit of ['B', 'KB', 'MB', 'GB']) {
    if (value < 1023.95) return `${unit === 'B' ? value : value.toFixed(1)} ${unit}`;
    value /= 1024;
  }
  return `${value.toFixed(1)} TB`;
}

/** `0.4 s`, `12 s`, `3 min 05 s`, `2 h 07 min`. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${padTwo(seconds % 60)} s`;
  return `${formatCount(Math.floor(minutes / 60))} h ${padTwo(minutes % 60)} min`;
}

function padTwo(value: number): string {
  return value.toString().padStart(2, '0');
}
