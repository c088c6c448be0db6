package org.onesided.linearizability;

import java.util.List;

/**
 * What a run that kills its server is to do.
 *
 * @param device   that server and clients use.
 * @param sync     of the server's log: {@code always} or {@code interval}.
 * @param kills    how many.
 * @param seed     of all that is drawn.
 * @param clients  how many processes. The last one has a short deadline, so that writes are of unknown fate.
 * @param sessions of each client.
 */
record KillSettings(String device, String sync, int kills, long seed, int clients, int sessions)
{
    static final int KEYS = 400;

    /** The server's options beyond where its data is. */
    List<String> server()
    {
        return List.of("--device", device, "--sync", sync, "--snapshot-log", "16m", "--memory", "128m",
            "--memory-initial", "1k", "--memory-release", "1ms", "--shards", "2",
            "--handshake-timeout", "60s", "--spin", "never");
    }
}
