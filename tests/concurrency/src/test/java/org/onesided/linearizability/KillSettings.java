package org.onesided.linearizability;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.onesided.restarts.KilledServer;
import org.onesided.restarts.PluggedServer;

/**
 * What a run that kills its server is to do.
 *
 * @param device   that server and clients use.
 * @param sync     of the server's log: {@code always} or {@code interval}.
 * @param kills    how many.
 * @param seed     of all that is drawn.
 * @param clients  how many processes. The last one has a short deadline, so that writes are of unknown fate.
 * @param sessions of each client.
 * @param plug     whether the server is in a virtual machine, whose plug is pulled.
 * @param evicts   whether the server lets keys leave its memory, which is too small for all.
 */
record KillSettings(
    String device, String sync, int kills, long seed, int clients, int sessions, boolean plug,
    boolean evicts)
{
    static final int KEYS = 400;

    private static final int PLUG_CLIENTS = 4;

    /** Of a server in a process of its own. */
    KillSettings(
        final String device, final String sync, final int kills, final long seed, final int clients, final int sessions)
    {
        this(device, sync, kills, seed, clients, sessions, false, false);
    }

    /** Of a server that forces its log before it acknowledges, in a virtual machine. */
    static KillSettings plugged(final int kills, final long seed)
    {
        return new KillSettings("tcp", "always", kills, seed, PLUG_CLIENTS, 1, true, false);
    }

    /** The same with a server that evicts. */
    KillSettings evicting()
    {
        return new KillSettings(device, sync, kills, seed, clients, sessions, plug, true);
    }

    /** A server with files in a folder, the place of its log among them. */
    KilledServer server(final Path folder, final Path log) throws IOException
    {
        final List<String> options = new ArrayList<>(options());
        if (plug)
        {
            return new PluggedServer(options, log, folder);
        }
        options.addAll(List.of("--device", device, "--data", folder.resolve("data").toString()));
        return new KilledServer(options, log);
    }

    private List<String> options()
    {
        return List.of("--sync", sync, "--snapshot-log", "16m", "--memory", evicts ? "8m" : "128m",
            "--evict", evicts ? "density" : "none", "--memory-initial", "1k", "--memory-release", "1ms",
            "--shards", "2", "--handshake-timeout", "60s", "--spin", "never", "--lease", plug ? "10m" : "30s");
    }
}
