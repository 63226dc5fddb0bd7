/** Upper bounds of the histogram buckets, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

interface Times {
  readonly counts: number[];
  sum: number;
  count: number;
}

/**
 * Metrics of a server, in the text format of Prometheus. Contract: labels name only routes, statuses and states: no
 * repository, token, path or word.
 */
export class Metrics {
  readonly #answers = new Map<string, number>();
  readonly #times = new Map<string, Times>();
  readonly #connections: () => Readonly<Record<string, number>>;

  /** `connections` counts those to the database, by state. */
  constructor(connections: () => Readonly<Record<string, number>>) {
    this.#connections = connections;
  }

  /** Counts an answered request. */
  count(route: string, status: number, seconds: number): void {
    const key = `route="${route}",status="${status}"`;
    this.#answers.set(key, (this.#answers.get(key) ?? 0) + 1);
    const times = this.#times.get(route) ?? { counts: BOUNDS.map(() => 0), sum: 0, count: 0 };
    this.#times.set(route, times);
    BOUNDS.forEach((bound, at) => {
      if (seconds <= bound) times.counts[at] = (times.counts[at] ?? 0) + 1;
    });
    times.sum += seconds;
    times.count++;
  }

  /** All metrics in the text format of Prometheus. */
  toText(): string {
    const lines = [...head("groundwork_requests_total", "counter", "Requests that were answered.")];
    for (const [labels, count] of this.#answers) lines.push(`groundwork_requests_total{${labels}} ${count}`);
    lines.push(...head("groundwork_request_seconds", "histogram", "How long they took."));
    for (const [route, { counts, sum, count }] of this.#times) {
      const line = (suffix: string, labels: string, value: number) =>
        lines.push(`groundwork_request_seconds${suffix}{route="${route}"${labels}} ${value}`);
      BOUNDS.forEach((bound, at) => void line("_bucket", `,le="${bound}"`, counts[at] ?? 0));
      line("_bucket", ',le="+Inf"', count);
      line("_sum", "", Number(sum.toFixed(6)));
      line("_count", "", count);
    }
    lines.push(...head("groundwork_database_connections", "gauge", "Connections to the database."));
    for (const [state, count] of Object.entries(this.#connections()))
      lines.push(`groundwork_database_connections{state="${state}"} ${count}`);
    return `${lines.join("\n")}\n`;
  }
}

function head(name: string, type: string, about: string): string[] {
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`];
}
