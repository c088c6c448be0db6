package org.onesided.tools.kvctl.cluster;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.onesided.client.StoreClientBuilder;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;

/**
 * Members of a cluster that a command asks for the others.
 */
final class Seeds
{
    private Seeds()
    {
    }

    /**
     * @param given  on the command line, with commas between them or not; empty for none.
     * @param server of the settings, likewise; null for none.
     * @return the addresses, in their order.
     */
    static Set<String> of(final Collection<String> given, final String server)
    {
        final Collection<String> named = !given.isEmpty() ? given :
            List.of(server == null ? StoreClientBuilder.DEFAULT_SERVER : server);
        final Set<String> seeds = new LinkedHashSet<>();
        named.forEach((text) -> seeds.addAll(Arrays.asList(text.split(","))));
        seeds.remove("");
        if (seeds.isEmpty())
        {
            throw new CommandException(ExitCode.USAGE, "no member is named, give HOST:PORT: servers=" + named);
        }
        return seeds;
    }
}
