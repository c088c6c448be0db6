package org.onesided.tools.load.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.onesided.tools.load.output.ResultJson;
import org.onesided.tools.load.output.RunResult;

/**
 * The result of a run, as JSON, with a label. Immutable.
 */
public final class ReportRun
{
    private static final JsonFactory FACTORY = new JsonFactory();
    /** Length of the part of a message that shows the content of a file. */
    private static final String PRESENTABLE = "[ -~]{1,64}";

    private final String label;
    private final byte[] json;
    private final JsonPart result;

    private ReportRun(final String label, final byte[] json)
    {
        this.label = label;
        this.json = json;
        result = new JsonPart("", JsonTree.parse(FACTORY, json));
        final Object format = result.fields().get("format");
        if (!ResultJson.FORMAT.equals(format))
        {
            throw new IllegalArgumentException("no result of kvctl load, which -o json writes: format=" +
                (String.valueOf(format).matches(PRESENTABLE) ? format : "other") + " expected=" + ResultJson.FORMAT);
        }
        ResultShape.check(result);
    }

    /**
     * @param label  name of the run beside others.
     * @param result of the run.
     * @return the run.
     */
    public static ReportRun of(final String label, final RunResult result)
    {
        final ByteArrayOutputStream json = new ByteArrayOutputStream();
        try
        {
            ResultJson.write(result, json);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("memory cannot be written to", e);
        }
        return new ReportRun(label, json.toByteArray());
    }

    /**
     * @param label name of the run beside others, such as the name of its file.
     * @param json  written by {@code kvctl load -o json}.
     * @return the run.
     * @throws IllegalArgumentException if it is something else; the message is one line.
     */
    public static ReportRun parse(final String label, final byte[] json)
    {
        return new ReportRun(label, json.clone());
    }

    /**
     * @return name of the run beside others.
     */
    public String label()
    {
        return label;
    }

    JsonPart result()
    {
        return result;
    }

    /** Writes the result unchanged, with the generator's escapes. */
    void copyTo(final JsonGenerator generator) throws IOException
    {
        try (JsonParser parser = FACTORY.createParser(json))
        {
            parser.nextToken();
            generator.copyCurrentStructure(parser);
        }
        catch (final JsonProcessingException e)
        {
            throw new IllegalStateException("result was parsed before", e);
        }
    }
}
