// The whole stack on real containers: bootstrap, claim, an error, a failing update, an update that is killed at every
// step, the way back, a fresh directory; then the gateway. There is one binary: the images of later versions make the
// debug build play one, with a migration (`src/version.rs`).
//
// Needs root, podman with runc and container DNS, and caddy, and PostgreSQL 15 and busybox for the
// gateway; says which is missing.
//
// Its parts, in this order: each goes on with the instance that the one before has left, since images take a while to make.

import "./stack.start.mjs";
import "./stack.updates.mjs";
import "./stack.backups.mjs";
import "./stack.gateway.mjs";
