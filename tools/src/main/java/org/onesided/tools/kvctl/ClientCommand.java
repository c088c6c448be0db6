package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.onesided.client.StoreClient;
import org.onesided.protocol.table.RecordDescriptor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

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

    @Spec
    private CommandSpec spec;

    @Override
    public final Integer call() throws IOException
    {
        return run().code();
    }

    abstract ExitCode run() throws IOException;

    /** The shell's client, or a new one. */
    final ConnectedClient connect()
    {
        final StoreClient shared = kvctl.sharedClient();
        if (shared == null)
        {
            return new ConnectedClient(connection.connect(kvctl), false);
        }
        if (connection.isGiven())
        {
            throw new CommandException(ExitCode.USAGE, "this shell stays with its connection: to reach " +
                "another server, or the same otherwise, end it and start kvctl shell with such options");
        }
        return new ConnectedClient(shared, true);
    }

    /** Says something on standard error that is no failure of the whole command. */
    final void tell(final String message)
    {
        surroundings().err().println(name() + ": " + Text.oneLine(message));
    }

    /** Such as {@code kvctl get}, and in the shell {@code get}. */
    final String name()
    {
        return spec.qualifiedName().strip();
    }

    final Kvctl kvctl()
    {
        return kvctl;
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
