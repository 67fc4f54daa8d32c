// The shop's API in Python: tracebacks as Python prints them, and what it logs as messages.

export const releases = [
  { version: "orders@1.18.0", age: 18 },
  { version: "orders@1.19.0", age: 8 },
  { version: "orders@1.19.1", age: 2 },
];

const packages = "/usr/local/lib/python3.12/site-packages";
const stacks = {
  http: [
    [`${packages}/starlette/routing.py`, 76, "app", "response = await f(request)"],
    [`${packages}/fastapi/routing.py`, 301, "app", "raw_response = await run_endpoint_function("],
  ],
  task: [
    [`${packages}/celery/app/trace.py`, 453, "trace_task", "R = retval = fun(*args, **kwargs)"],
    [`${packages}/celery/app/trace.py`, 736, "__protected_call__", "return self.run(*args, **kwargs)"],
  ],
};

/** One frame of ours: `file:line function | code`. */
function frame(text) {
  const [, file, line, name, code] = /^(\S+):(\d+) (\S+) \| (.*)$/.exec(text);
  return [`/srv/orders/${file}`, Number(line), name, code];
}

const printed = (frames) => frames.map(([file, line, name, code]) => `  File "${file}", line ${line}, in ${name}\n    ${code}`).join("\n");

const heading = "Traceback (most recent call last):";

/** `[via, type, message, share, frames, more]`; a library's frames at the throw begin with a slash. */
const throws = [
  ["http", "sqlalchemy.exc.OperationalError", "(psycopg.OperationalError) connection timeout expired", 70,
    ["app/orders/routes.py:64 place_order | order = await service.place(payload)", "app/orders/service.py:118 place | await session.flush()"], { level: "fatal", priority: "high", assign: true }],
  ["http", "KeyError", "'vat_id'", 46, ["app/invoices/routes.py:31 show_invoice | return render(invoice)", "app/invoices/render.py:88 render | vat = customer.profile['vat_id']"]],
  ["http", "pydantic_core._pydantic_core.ValidationError", "1 validation error for OrderIn\nlines.0.quantity\n  Input should be greater than 0 [type=greater_than, input_value=0, input_type=int]", 40,
    ["app/orders/routes.py:58 place_order | payload = OrderIn.model_validate(body)"], { level: "warning" }],
  ["task", "TimeoutError", "carrier API did not answer within 10.0 s", 36, ["app/shipping/tasks.py:44 book_parcel | label = client.book(parcel)", "app/shipping/client.py:97 book | raise TimeoutError(f\"carrier API did not answer within {limit} s\")"], { assign: true }],
  ["http", "AttributeError", "'NoneType' object has no attribute 'country'", 32, ["app/tax/routes.py:22 quote | return rate_for(order)", "app/tax/rates.py:61 rate_for | country = order.shipping_address.country"], {}],
  ["task", "decimal.InvalidOperation", "[<class 'decimal.ConversionSyntax'>]", 20, ["app/pricing/tasks.py:19 import_prices | save(read(row) for row in rows)", "app/pricing/importer.py:53 read | return Decimal(row['price'])"], { span: [9, 0] }],
  ["http", "ZeroDivisionError", "division by zero", 16, ["app/reports/routes.py:40 conversion | return summary(days)", "app/reports/summary.py:27 summary | return orders / visits"], { span: [13, 5], state: { status: "resolved", resolved_in_release: "orders@1.19.0" } }],
  ["task", "UnicodeDecodeError", "'utf-8' codec can't decode byte 0xe9 in position 112: invalid continuation byte", 14, ["app/catalog/tasks.py:71 import_supplier | text = path.read_text()", "app/catalog/files.py:15 read_text | return data.decode('utf-8')"], {}],
  ["http", "PermissionError", "account acc_1004 may not refund orders over 500.00 EUR", 12, ["app/refunds/routes.py:29 refund | policy.check(account, amount)", "app/refunds/policy.py:48 check | raise PermissionError("], { level: "warning", state: { status: "ignored", ignore_until: 10 } }],
  ["http", "IndexError", "list index out of range", 11, ["app/orders/routes.py:103 latest | return history[0]"], { span: [12, 6], state: { status: "resolved" } }],
  ["task", "smtplib.SMTPServerDisconnected", "Connection unexpectedly closed", 10, ["app/mail/tasks.py:33 send_receipt | smtp.send_message(message)"], {}],
  ["task", "MemoryError", "", 3, ["app/reports/tasks.py:58 export_year | frame = pandas.concat(frames)"], { level: "fatal", span: [4, 0], priority: "high" }],
  ["http", "RecursionError", "maximum recursion depth exceeded while calling a Python object", 6, ["app/catalog/tree.py:35 path | return path(node.parent) + [node.name]", "app/catalog/tree.py:35 path | return path(node.parent) + [node.name]", "app/catalog/tree.py:35 path | return path(node.parent) + [node.name]"], { span: [6, 0] }],
  ["http", "asyncpg.exceptions.UniqueViolationError", "duplicate key value violates unique constraint \"orders_idempotency_key\"", 18, ["app/orders/routes.py:66 place_order | order = await service.place(payload)", "app/orders/store.py:41 insert | return await connection.fetchrow(INSERT_ORDER, *values)"], { handled: true, level: "warning", priority: "low" }],
  ["task", "app.payments.errors.CaptureFailed", "capture of payment pay_88213 failed", 22, ["app/payments/tasks.py:52 capture | raise CaptureFailed(payment) from error"], { caused: true, assign: true }],
  ["http", "TypeError", "can't compare offset-naive and offset-aware datetimes", 9, ["app/offers/routes.py:18 current | return [o for o in offers if o.running()]", "app/offers/model.py:24 running | return self.starts_at <= now() < self.ends_at"], { span: [3, 0] }],
];

const said = [
  ["Queue `shipping` has 1,204 messages waiting", "warning", 30, {}],
  ["Payment provider switched to its fallback region", "warning", 14, {}],
  ["Nightly stock import took 41 minutes", "info", 8, { span: [13, 4], state: { status: "resolved" } }],
  ["Deprecated endpoint GET /v0/orders was called", "info", 24, { state: { status: "ignored" } }],
  ["Disk /var/lib/postgresql is 91 % full", "error", 6, { span: [2, 0], priority: "high" }],
  ["Cache miss rate over 60 % for 10 minutes", "debug", 9, {}],
];

const cause = {
  type: "httpx.HTTPStatusError",
  message: "Server error '502 Bad Gateway' for url 'https://payments.example/v1/captures'",
  stack: `${heading}\n${printed([frame("app/payments/tasks.py:49 capture | response.raise_for_status()"), [`${packages}/httpx/_models.py`, 829, "raise_for_status", "raise HTTPStatusError(message, request=request, response=self)"]])}\nhttpx.HTTPStatusError: Server error '502 Bad Gateway' for url 'https://payments.example/v1/captures'`,
};

export function issues({ people }) {
  const thrown = throws.map(([via, type, message, share, frames, more = {}]) => {
    const own = `${heading}\n${printed([...stacks[via], ...frames.map(frame)])}\n${message ? `${type}: ${message}` : type}`;
    const stack = more.caused
      ? `${cause.stack}\n\nThe above exception was the direct cause of the following exception:\n\n${own}`
      : own;
    const exception = { type, message, stack, mechanism: { type: via === "http" ? "fastapi" : "celery", handled: more.handled ?? false }, ...(more.caused && { cause }) };
    return {
      ...more,
      name: type,
      share,
      span: more.span ?? [13.9, 0],
      make: (random, time, release) => ({ ...call(random, time, via, people), type: "exception", level: more.level ?? "error", release, exception }),
    };
  });
  const messages = said.map(([message, level, share, more]) => ({
    ...more,
    name: message,
    share,
    span: more.span ?? [13.9, 0],
    make: (random, time, release) => ({ ...call(random, time, "task", people), type: "message", level, message, release }),
  }));
  return [...thrown, ...messages];
}

function call(random, time, via, people) {
  const { user, account } = random.early(people.users);
  const path = random.pick(["/v1/orders", "/v1/orders/8412", "/v1/invoices/2026-118", "/v1/refunds"]);
  const server = `orders-${via === "http" ? "web" : "worker"}-${random.whole(1, 4)}`;
  return {
    timestamp: new Date(time).toISOString(),
    platform: "python",
    sdk: { name: "mayday.python", version: "0.1.0" },
    environment: random.chance(0.1) ? "staging" : "production",
    ...(via === "http" && { url: `https://api.shop.example${path}`, user: { id: user.id, email: user.email, name: user.name } }),
    ...(account && { account: { id: account.id, name: account.name } }),
    trace_id: random.hex(32),
    span_id: random.hex(16),
    session_id: `s_${random.hex(12)}`,
    tags: {
      server,
      region: random.pick(["eu-central", "eu-central", "us-east"]),
      ...(via === "http" ? { route: path.replace(/\/[\d-]+$/, "/{id}"), method: "POST" } : { queue: random.pick(["shipping", "mail", "imports"]) }),
    },
    contexts: { runtime: { name: "CPython", version: "3.12.7" }, os: { name: "Debian", version: "12" }, device: { name: server, memory_mb: 2_048 } },
    extra: { request: { method: "POST", path, content_length: random.whole(120, 4_000) }, retries: random.whole(0, 3) },
    breadcrumbs: [
      { timestamp: time - 1_400, category: "query", level: "info", message: "select * from orders where id = $1", data: { duration_ms: random.whole(1, 40) } },
      { timestamp: time - 900, category: "http", level: "info", data: { method: "GET", url: "https://stock.internal/v1/levels", status_code: 200, duration_ms: random.whole(5, 300) } },
      { timestamp: time - 300, category: "log", level: random.pick(["info", "warning"]), message: random.pick(["order 8412 locked", "retrying once", "cache is cold"]) },
    ],
  };
}
