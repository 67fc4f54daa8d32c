//! Many simultaneous connections, from as many addresses as necessary.

use crate::support::Server;
use socket2::{Domain, Socket, Type};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

/// Connections of one address: fewer than one may have.
const OF_ADDRESS: usize = 900;

/// The `number`th connection of a crowd. Its system holds `receive` bytes for it, where that is given.
pub(crate) fn connect(server: &Server, number: usize, receive: Option<usize>) -> std::io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    let address = Ipv4Addr::new(127, 0, 1, u8::try_from(number / OF_ADDRESS + 1).unwrap());
    socket.bind(&SocketAddr::from((address, 0)).into())?;
    if let Some(bytes) = receive {
        socket.set_recv_buffer_size(bytes)?;
    }
    let port: u16 = server.port().parse().unwrap();
    socket.connect(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)).into())?;
    Ok(socket.into())
}

/// A connection that is never waited for.
pub(crate) struct Idler {
    stream: TcpStream,
    /// The bytes that are left to send.
    rest: &'static [u8],
}

impl Idler {
    /// See [`connect`]. Sends `head`; [`Idler::send`] sends `body` as far as the server reads it.
    pub(crate) fn open(
        server: &Server,
        number: usize,
        receive: Option<usize>,
        head: &str,
        body: &'static [u8],
    ) -> std::io::Result<Self> {
        let stream = connect(server, number, receive)?;
        (&stream).write_all(head.as_bytes())?;
        stream.set_nonblocking(true)?;
        Ok(Self { stream, rest: body })
    }

    /// Sends as much as the connection accepts.
    pub(crate) fn send(&mut self) {
        while !self.rest.is_empty() {
            match (&self.stream).write(self.rest) {
                Ok(sent) => self.rest = &self.rest[sent..],
                Err(_) => break,
            }
        }
    }

    /// Reads the available bytes, up to 64 KiB; returns whether the server closed the connection.
    pub(crate) fn is_ended(&self) -> bool {
        let mut buffer = [0; 64 << 10];
        match (&self.stream).read(&mut buffer) {
            Ok(count) => count == 0,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        }
    }

    /// Sends one more request, if the connection is still there.
    pub(crate) fn ask(&self, head: &str) -> bool {
        !self.is_ended() && (&self.stream).write_all(head.as_bytes()).is_ok()
    }
}
