/** Errors of our own. The names are set by hand, since minifiers rename the classes. */
export class ShopError extends Error {
  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = name;
  }
}

export const declined = (reason: string) => new ShopError("PaymentDeclinedError", `The bank declined the payment: ${reason}`);
export const invalid = (message: string) => new ShopError("ValidationError", message);
export const unreachable = (url: string, status: number) =>
  new ShopError("NetworkError", `GET ${url} answered ${status}`);
