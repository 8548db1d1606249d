package table

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/format"
)

// The ids of fields are those that parquet-go has in the tags of its structs.
func TestFieldIDs(t *testing.T) {
	for _, s := range []struct {
		of  any
		ids map[string]int16
	}{
		{format.FileMetaData{}, map[string]int16{"Version": fmVersion, "Schema": fmSchema, "NumRows": fmNumRows, "RowGroups": fmRowGroups,
			"KeyValueMetadata": fmKeyValues, "CreatedBy": fmCreatedBy, "ColumnOrders": fmColumnOrders, "EncryptionAlgorithm": fmEncryption}},
		{format.SchemaElement{}, map[string]int16{"Type": seType, "TypeLength": seTypeLength, "RepetitionType": seRepetition, "Name": seName,
			"NumChildren": seNumChildren, "ConvertedType": seConverted, "Scale": seScale, "LogicalType": seLogical}},
		{format.RowGroup{}, map[string]int16{"Columns": rgColumns, "TotalByteSize": rgTotalByteSize, "NumRows": rgNumRows,
			"SortingColumns": rgSorting,
			"FileOffset":     rgFileOffset, "TotalCompressedSize": rgTotalCompressed, "Ordinal": rgOrdinal}},
		{format.ColumnChunk{}, map[string]int16{"FilePath": ccFilePath, "FileOffset": ccFileOffset, "MetaData": ccMetaData,
			"OffsetIndexOffset": ccOffsetIndexOffset, "OffsetIndexLength": ccOffsetIndexLength, "ColumnIndexOffset": ccColumnIndexOffset,
			"ColumnIndexLength": ccColumnIndexLength, "CryptoMetadata": ccCrypto, "EncryptedColumnMetadata": ccEncryptedMetaData}},
		{format.ColumnMetaData{}, map[string]int16{"Type": cmType, "Encoding": cmEncodings, "PathInSchema": cmPath, "Codec": cmCodec,
			"NumValues": cmNumValues, "TotalUncompressedSize": cmTotalUncompressed, "TotalCompressedSize": cmTotalCompressed,
			"KeyValueMetadata": cmKeyValues, "DataPageOffset": cmDataPageOffset, "IndexPageOffset": cmIndexPageOffset,
			"DictionaryPageOffset": cmDictionaryOffset, "Statistics": cmStatistics, "BloomFilterOffset": cmBloomOffset,
			"BloomFilterLength": cmBloomLength, "SizeStatistics": cmSizeStatistics}},
		{format.Statistics{}, map[string]int16{"Max": stMax, "Min": stMin, "MaxValue": stMaxValue, "MinValue": stMinValue}},
		{format.PageHeader{}, map[string]int16{"Type": phType, "UncompressedPageSize": phUncompressed, "CompressedPageSize": phCompressed,
			"CRC": phCRC, "DataPageHeader": phDataV1, "DictionaryPageHeader": phDictionary, "DataPageHeaderV2": phDataV2}},
		{format.DataPageHeader{}, map[string]int16{"NumValues": dpNumValues, "Encoding": dpEncoding,
			"DefinitionLevelEncoding": dpDefEncoding, "RepetitionLevelEncoding": dpRepEncoding}},
		{format.DictionaryPageHeader{}, map[string]int16{"NumValues": diNumValues, "Encoding": diEncoding}},
		{format.DataPageHeaderV2{}, map[string]int16{"NumValues": d2NumValues, "NumNulls": d2NumNulls, "NumRows": d2NumRows,
			"Encoding":                   d2Encoding,
			"DefinitionLevelsByteLength": d2DefLength, "RepetitionLevelsByteLength": d2RepLength, "IsCompressed": d2IsCompressed}},
		{format.SortingColumn{}, map[string]int16{"ColumnIdx": scColumn}},
		{format.OffsetIndex{}, map[string]int16{"PageLocations": oiLocations}},
		{format.PageLocation{}, map[string]int16{"Offset": plOffset}},
		{format.KeyValue{}, map[string]int16{"Key": kvKey, "Value": kvValue}},
		{format.BloomFilterHeader{}, map[string]int16{"NumBytes": bfNumBytes}},
	} {
		of := reflect.TypeOf(s.of)
		for name, id := range s.ids {
			f, ok := of.FieldByName(name)
			if tag, _, _ := strings.Cut(f.Tag.Get("thrift"), ","); !ok || tag != fmt.Sprint(id) {
				t.Errorf("%s.%s has the id %q, not %d", of.Name(), name, tag, id)
			}
		}
	}
}
