package org.onesided.tools.kvctl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.onesided.tools.kvctl.rdma.DeviceListing;
import org.onesided.tools.kvctl.rdma.Selection;
import org.onesided.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/**
 * {@code kvctl rdma devices}.
 */
@Command(
    name = "devices",
    description = "Show RDMA devices, their ports, GIDs and limits, and mark with * what is taken by default.",
    footer = {
        "",
        "--verbose shows all limits. Exit code 3 if there is no device, or not the one given.",
        "",
        "Examples:",
        "  kvctl rdma devices",
        "  kvctl rdma devices --verbose --device ibv:mlx5_0",
    })
final class RdmaDevicesCommand implements Callable<Integer>
{
    @ParentCommand
    private RdmaCommand rdma;

    @Mixin
    private RdmaSelection selection;

    @Mixin
    private HelpOption help;

    @Mixin
    private OutputOption form;

    @Override
    public Integer call() throws IOException
    {
        final Kvctl kvctl = rdma.kvctl();
        kvctl.logFrom("error");
        final Selection selected = selection.of(kvctl, kvctl.connection().rdma());
        final DeviceListing listing = list(selected, kvctl.isVerbose());
        if (listing.count() == 0)
        {
            throw new CommandException(
                ExitCode.NOT_FOUND, "there is no RDMA device; kvctl rdma doctor says what is missing");
        }
        final OutputStream output = new StandardOutput(kvctl.surroundings().out());
        output.write(text(listing).getBytes(UTF_8));
        return ExitCode.DONE.code();
    }

    private String text(final DeviceListing listing)
    {
        return switch (form.or(OutputForm.TABLE))
        {
            case JSON -> figures(listing).json() + "\n";
            case PLAIN -> figures(listing).plain();
            case TABLE -> listing.text();
        };
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
