package org.onesided.tools.kvctl.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.onesided.server.ServerException;
import org.onesided.server.StoredMember;
import org.onesided.tools.kvctl.command.KvctlCommand;
import org.onesided.tools.kvctl.command.OutputOption;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.OutputForm;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code kvctl cluster rescue}.
 */
@Command(
    name = "rescue",
    description = "Make a table again of what one member has, when most members of its cluster are lost for good.",
    footer = {
        "",
        "Without --to, it only shows what the member has. Writes that others have acknowledged and this one does not " +
            "have are lost; writes that nobody has acknowledged may be there. So call it for each member that is " +
            "left, and compare them partition by partition: the one whose last entry has the highest term has the " +
            "most of what was acknowledged, and among equal terms the one with the highest index. More entries of a " +
            "lower term count for nothing. If not all partitions name the same member, rescue several, each to a " +
            "directory of its own: a rescued table has all partitions of one member. Go on with the one of the " +
            "partition that matters most, and put what it lacks from an export of the others.",
        "",
        "The member must not run, and its directory stays as it is. The new one is that of a server that is alone; " +
            "its table has an id of its own, so clients notice, and no member of the former cluster ever joins it.",
        "",
        "Examples:",
        "  kvctl cluster rescue /var/lib/onesided",
        "  kvctl cluster rescue /var/lib/onesided --to /var/lib/rescued",
    })
final class ClusterRescueCommand extends KvctlCommand
{
    @Parameters(paramLabel = "DIR", description = "The directory of the member, kvctl server --data.")
    private Path member;

    @Option(names = "--to", paramLabel = "NEW", description = "Directory to make, missing or empty.")
    private Path directory;

    @Option(
        names = "--discard-tail",
        description = "If some of a partition is damaged or lost, take what is left: of a log, what is before the " +
            "damage.")
    private boolean isTailDropped;

    @Mixin
    private OutputOption form;

    @Override
    protected ExitCode run() throws IOException
    {
        invocation().logFrom("error");
        try
        {
            if (directory == null)
            {
                final StoredMember survey = StoredMember.survey(member, isTailDropped);
                print(form.text(Survivors.figures(survey), () -> Survivors.text(survey)));
            }
            else
            {
                rescue();
            }
        }
        catch (final ServerException e)
        {
            throw new CommandException(ExitCode.FAILED, e.getMessage(), e);
        }
        return ExitCode.DONE;
    }

    private void rescue() throws IOException
    {
        final StoredMember[] survey = new StoredMember[1];
        final long table = StoredMember.rescue(member, directory, isTailDropped, (read) ->
        {
            survey[0] = read;
            if (isForPeople())
            {
                show(Survivors.text(read));
            }
        });
        if (isForPeople())
        {
            print("\nMade " + directory + ": table " + HexFormat.of().toHexDigits(table) +
                ", for kvctl server --data, with the same memory as the members.\n");
        }
        else
        {
            print(Survivors.figures(survey[0])
                .add("made", directory.toString())
                .add("made_table_id", HexFormat.of().toHexDigits(table))
                .text(form.or(OutputForm.PLAIN)));
        }
    }

    private boolean isForPeople()
    {
        return form.or(OutputForm.TABLE) == OutputForm.TABLE;
    }

    private void show(final String text)
    {
        try
        {
            print(text);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
