# Shared by the deployment scripts, which source it: the files of their folder, and what lib/ does with them.
# POSIX sh; needs awk, sed, od and mv.
# shellcheck disable=SC2034 # what is named here is used in lib/ and by the scripts

set -eu
umask 077
LC_ALL=C
export LC_ALL

# The folder that the scripts act on: the one they lie in.
here=$(cd "$(dirname "$0")" && pwd)
static=$here/.env.static
local=$here/.env.local
generated=$here/.env.generated
runtime=$here/.env.runtime
compose_env=$here/.env
# What the server's container reads, which mounts the folder in it: nobody else gets through the outer one.
handed=$here/.handed
# What the last program has said.
log=$here/.compose.log
# Exists while an update is under way: what there was before it, and the code-host app's private key as it was handed over then.
update_state=$here/.update
key_before=$handed/host-app-private-key.pem.previous

. "$here/lib/steps.sh"
. "$here/lib/variables.sh"
. "$here/lib/derive.sh"
. "$here/lib/service.sh"
. "$here/lib/images.sh"
. "$here/lib/containers.sh"
. "$here/lib/certificates.sh"
. "$here/lib/updates.sh"
. "$here/lib/claim.sh"
. "$here/lib/text.sh"
