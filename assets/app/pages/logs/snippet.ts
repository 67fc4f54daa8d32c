import type { Place } from "../start/snippets.ts";

/** Sends one entry; a test runs it exactly like this. */
export const snippet = ({
  origin,
  key,
}: Place): string => `curl -sS ${origin}/api/v1/logs/batch -H 'Content-Type: application/json' -d '{
  "api_key": "${key}",
  "logs": [{
    "timestamp": '$(date +%s)',
    "level": "info",
    "message": "Order 1234 was paid",
    "logger_name": "shop.orders",
    "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
    "attributes": { "order_id": 1234 }
  }]
}'
`;
