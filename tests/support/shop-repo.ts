/** A small shop: a cart that looks up prices, a till with circular calls, a test, and the same name twice. */
export const SHOP: Readonly<Record<string, string>> = {
  "src/price.ts": `import { readRate } from "./rates.ts";

/** Price of one article with its tax. */
export function priceOf(article: string, amount: number): number {
  const rate = readRate(article);
  if (amount < 0) throw new Error("negative amount in the cart");
  return amount > 10 && rate > 0 ? amount * rate * 0.9 : amount * rate;
}
`,
  "src/rates.ts": `const RATES: Record<string, number> = { book: 1.07 };

export function readRate(article: string): number {
  return RATES[article] ?? 1.19;
}

export function formatRate(rate: number): string {
  return \`\${rate} %\`;
}
`,
  "src/cart.ts": `import { priceOf } from "./price.ts";

export class Cart {
  readonly #items: string[] = [];

  add(article: string): void {
    this.#items.push(article);
  }

  total(): number {
    return this.#items.reduce((sum, article) => sum + priceOf(article, 1), 0);
  }
}
`,
  "src/till.ts": `import { Cart } from "./cart.ts";

export function openTill(turns: number): number {
  const cart = new Cart();
  cart.add("book");
  return turns > 0 ? closeTill(turns - 1) : cart.total();
}

export function closeTill(turns: number): number {
  return openTill(turns);
}
`,
  "src/cart.test.ts": `import { Cart } from "./cart.ts";

export function checkTotal(): void {
  const cart = new Cart();
  cart.add("book");
  if (cart.total() !== 1.07) throw new Error("wrong");
}
`,
  "examples/price.ts": `export function priceOf(): number {
  return 1;
}
`,
  "notes/说明.md": "# 说明\n\n购物车的价格。\n",
};
