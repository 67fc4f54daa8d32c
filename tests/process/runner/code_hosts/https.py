"""A code host over https: git's own `http-backend` behind a certificate and a password."""
import base64, http.server, os, ssl, subprocess, sys

root, certificate, key, login, log = sys.argv[1:]
WANTED = "Basic " + base64.b64encode(login.encode()).decode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.serve(b"")

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.serve(body)

    def serve(self, body):
        if self.headers.get("Authorization") != WANTED:
            return self.answer("401 Unauthorized", [("WWW-Authenticate", 'Basic realm="host"')], b"")
        path, _, query = self.path.partition("?")
        with open(log, "a") as file:
            file.write(f"{self.command} {self.path}\n")
        environment = dict(os.environ, GIT_PROJECT_ROOT=root, GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
            QUERY_STRING=query, REQUEST_METHOD=self.command, REMOTE_USER="runner", REMOTE_ADDR="127.0.0.1",
            CONTENT_TYPE=self.headers.get("Content-Type", ""), CONTENT_LENGTH=str(len(body)),
            HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
            GIT_PROTOCOL=self.headers.get("Git-Protocol", ""))
        done = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment, timeout=60)
        head, _, rest = done.stdout.partition(b"\r\n\r\n")
        headers = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        status = next((value for name, value in headers if name == "Status"), "200 OK")
        self.answer(status, [(name, value) for name, value in headers if name != "Status"], rest)

    def answer(self, status, headers, body):
        code, _, reason = status.partition(" ")
        self.send_response(int(code), reason)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
