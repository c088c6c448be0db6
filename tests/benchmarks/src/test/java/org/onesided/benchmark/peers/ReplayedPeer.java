package org.onesided.benchmark.peers;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Redis or memcached as a cache, and a client that speaks its protocol.
 */
final class ReplayedPeer implements ReplayedCache
{
    private final PeerServer server;
    private final boolean isRedis;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] value;

    private ReplayedPeer(final PeerServer server, final boolean isRedis, final int longest) throws IOException
    {
        this.server = server;
        this.isRedis = isRedis;
        value = new byte[longest];
        socket = new Socket("127.0.0.1", server.port());
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = socket.getOutputStream();
    }

    /**
     * @param memory of the server in bytes; what it takes when it is empty comes on top.
     */
    static ReplayedPeer redis(
        final String program, final long memory, final String policy, final int longest) throws IOException
    {
        final long empty;
        try (PeerServer idle = PeerServer.redisCache(program, 0, policy);
            ReplayedPeer peer = new ReplayedPeer(idle, true, 0))
        {
            empty = peer.usedMemory();
        }
        return new ReplayedPeer(PeerServer.redisCache(program, memory + empty, policy), true, longest);
    }

    /**
     * @param memory of the server in bytes; its hash table comes on top.
     */
    static ReplayedPeer memcached(final String program, final long memory, final int longest) throws IOException
    {
        return new ReplayedPeer(PeerServer.memcached(program, memory), false, longest);
    }

    private long usedMemory() throws IOException
    {
        send("INFO memory\r\n");
        final int length = Integer.parseInt(line().substring(1));
        final String text = new String(in.readNBytes(length), StandardCharsets.US_ASCII);
        line();
        final String name = "used_memory:";
        final int at = text.indexOf(name) + name.length();
        return Long.parseLong(text.substring(at, text.indexOf('\r', at)));
    }

    @Override
    public boolean get(final String key) throws IOException
    {
        send(isRedis ? "GET " + key + "\r\n" : "get " + key + "\r\n");
        final String answer = line();
        if (answer.equals("$-1") || answer.equals("END"))
        {
            return false;
        }
        final int length = Integer.parseInt(answer.substring(isRedis ? 1 : answer.lastIndexOf(' ') + 1));
        in.skipNBytes(length);
        line();
        if (!isRedis)
        {
            line();
        }
        return true;
    }

    @Override
    public void put(final String key, final int length) throws IOException
    {
        send(isRedis ? "*3\r\n$3\r\nSET\r\n$" + key.length() + "\r\n" + key + "\r\n$" + length + "\r\n" :
            "set " + key + " 0 0 " + length + "\r\n");
        out.write(value, 0, length);
        send("\r\n");
        final String answer = line();
        // Either may refuse a value for which it finds no room: that is a miss the next time.
        if (!answer.equals("+OK") && !answer.equals("STORED") && !answer.contains("OOM") &&
            !answer.contains("out of memory"))
        {
            throw new IOException("value was not stored: answer=" + answer);
        }
    }

    /** memcached takes a page for each length class, whatever it was told. */
    @Override
    public long memory() throws IOException
    {
        if (isRedis)
        {
            return 0;
        }
        send("stats slabs\r\n");
        long bytes = 0;
        for (String line = line(); !line.equals("END"); line = line())
        {
            bytes = line.startsWith("STAT total_malloced ") ?
                Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) : bytes;
        }
        return bytes;
    }

    private void send(final String text) throws IOException
    {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String line() throws IOException
    {
        final StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read())
        {
            if (c < 0)
            {
                throw new EOFException("server closed the connection");
            }
            if (c != '\r')
            {
                line.append((char)c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
        server.close();
    }
}
