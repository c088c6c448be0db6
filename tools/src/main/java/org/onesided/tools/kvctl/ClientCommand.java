package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.onesided.client.StoreClient;
import org.onesided.protocol.table.RecordDescriptor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/**
 * A command that talks to a server.
 */
abstract class ClientCommand implements Callable<Integer>
{
    @ParentCommand
    private Kvctl kvctl;

    @Mixin
    private ClientOptions connection;

    @Mixin
    private HelpOption help;

    @Override
    public final Integer call() throws IOException
    {
        return run().code();
    }

    abstract ExitCode run() throws IOException;

    final StoreClient connect()
    {
        return connection.connect(kvctl);
    }

    final Surroundings surroundings()
    {
        return kvctl.surroundings();
    }

    final boolean isVerbose()
    {
        return kvctl.isVerbose();
    }

    /** A key as given on the command line. */
    static byte[] key(final String argument)
    {
        if (argument.isEmpty())
        {
            throw new CommandException(ExitCode.USAGE, "the key is empty: a key has 1 to 4096 bytes");
        }
        final byte[] key = argument.getBytes(UTF_8);
        if (key.length > RecordDescriptor.MAX_KEY_LENGTH)
        {
            throw new CommandException(ExitCode.USAGE, "the key is too long: key=" + Text.key(key) + " length=" +
                key.length + " longest=" + RecordDescriptor.MAX_KEY_LENGTH + "; use a shorter one, or a digest of it");
        }
        return key;
    }
}
