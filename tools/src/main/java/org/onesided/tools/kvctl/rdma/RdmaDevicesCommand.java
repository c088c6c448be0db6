package org.onesided.tools.kvctl.rdma;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Figures;
import org.onesided.tools.kvctl.rdma.machine.DeviceListing;
import org.onesided.tools.kvctl.rdma.machine.Selection;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code kvctl rdma devices}.
 */
@Command(
    name = "devices",
    description = "List RDMA devices, their ports, GIDs and limits; * marks the default choice.",
    footer = {
        "",
        "--verbose shows all limits. The exit code is 3 if no device, or not the given one, exists.",
        "",
        "Examples:",
        "  kvctl rdma devices",
        "  kvctl rdma devices --verbose --device ibv:mlx5_0",
    })
final class RdmaDevicesCommand extends KvctlCommand
{
    @Mixin
    private RdmaSelection selection;

    @Mixin
    private OutputOption form;

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        final Selection selected = selection.of(invocation(), invocation().connection());
        final DeviceListing listing = list(selected, isVerbose());
        if (listing.count() == 0)
        {
            throw new CommandException(
                ExitCode.NOT_FOUND, "there is no RDMA device; kvctl rdma doctor shows what is missing");
        }
        print(form.text(figures(listing), listing::text));
        return ExitCode.DONE;
    }

    private static Figures figures(final DeviceListing listing)
    {
        final Figures all = new Figures();
        listing.tables().forEach((name, table) ->
            all.list(name, table.rows().stream().map(row -> figures(table.head(), row)).toList()));
        return all;
    }

    private static Figures figures(final List<String> head, final List<String> row)
    {
        final Figures figures = new Figures().add("taken", DeviceListing.TAKEN.equals(row.get(0)));
        for (int i = 1; i < row.size(); i++)
        {
            figures.add(head.get(i).toLowerCase(Locale.ROOT).replace(' ', '_'), row.get(i));
        }
        return figures;
    }

    private static DeviceListing list(final Selection selected, final boolean isVerbose)
    {
        try
        {
            return DeviceListing.of(RdmaSelection.ROOT, selected, isVerbose);
        }
        catch (final VerbsException e)
        {
            throw RdmaSelection.refused(e);
        }
    }
}
