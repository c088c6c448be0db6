package org.onesided.tools.kvctl.cluster;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.onesided.client.StoreClientBuilder;
import org.onesided.tools.kvctl.command.ClientOptions;
import org.onesided.tools.kvctl.command.GivenSettings;
import org.onesided.tools.kvctl.command.Invocation;
import org.onesided.tools.kvctl.command.SettingOptions;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.settings.ClientSettings;

/**
 * Members of a cluster that a command line names.
 */
final class NamedMembers
{
    private NamedMembers()
    {
    }

    /**
     * @return options of a command that connects to members: which, and how.
     */
    static SettingOptions options()
    {
        return new SettingOptions()
            .add(List.of(ClientSettings.SERVER, ClientOptions.TOKEN_FILE, ClientSettings.DEADLINE))
            .addGroup("TLS options", ClientSettings.tls());
    }

    /**
     * @param given      after the command; may be empty.
     * @param own        options of the command.
     * @param invocation of it.
     * @return addresses of members, those of {@code --server} or the default if none is given.
     */
    static Set<String> of(final List<String> given, final SettingOptions own, final Invocation invocation)
    {
        final String server = new GivenSettings(own, invocation.connection(), invocation.surroundings())
            .value(ClientSettings.SERVER);
        final List<String> named = !given.isEmpty() ? given :
            List.of(server == null ? StoreClientBuilder.DEFAULT_SERVER : server);
        final Set<String> servers = new LinkedHashSet<>();
        named.forEach((text) -> servers.addAll(Arrays.asList(text.split(","))));
        servers.remove("");
        if (servers.isEmpty())
        {
            throw new CommandException(ExitCode.USAGE, "no member is named, give HOST:PORT: servers=" + named);
        }
        return servers;
    }
}
