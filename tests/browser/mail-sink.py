# An SMTP server (aiosmtpd) that keeps nothing: each mail that it takes becomes a line of JSON on
# standard output, after a first line with its port. It refuses recipients whose name begins "refused".
# Arguments: `smtps` or `starttls`, the certificate's file and its key's: mail is then taken over TLS only.

import asyncio
import email
import email.policy
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP


def tell(what):
    print(json.dumps(what), flush=True)


class Sink:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused"):
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        body = mail.get_body(("plain",))
        html = mail.get_body(("html",))
        tell(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "tls": server.transport.get_extra_info("ssl_object") is not None,
                "headers": {name: str(value) for name, value in mail.items()},
                "type": mail.get_content_type(),
                "text": body.get_content() if body else "",
                "html": html.get_content() if html else "",
            }
        )
        return "250 OK"


async def main():
    loop = asyncio.get_running_loop()
    options, wrapped = {}, None
    if len(sys.argv) > 1:
        how, certificate, key = sys.argv[1:]
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
        if how == "smtps":
            wrapped = context
        else:
            options = {"tls_context": context, "require_starttls": True}
    smtp = lambda: SMTP(Sink(), hostname="sink", enable_SMTPUTF8=True, **options)
    server = await loop.create_server(smtp, "127.0.0.1", 0, ssl=wrapped)
    tell({"port": server.sockets[0].getsockname()[1]})
    # It ends with the tests, which hold the other end of its standard input.
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
